#include "formats/csv/csv.h"
#include "formats/json/json.h"
