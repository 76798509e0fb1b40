#include "formats/csv/csv.h"
