#include "base/text.h"

#include <sys/stat.h>
// #include "report/report.h" in a comment is no include.
