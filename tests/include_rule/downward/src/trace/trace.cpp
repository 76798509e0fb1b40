#include <vector>

#include "base/text.h"
#include "report/report.h"
