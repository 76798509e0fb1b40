#include "formats/csv/csv.h"
#include "trace/trace.h"
