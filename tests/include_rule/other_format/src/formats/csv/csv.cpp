#include "formats/json/json.h"
