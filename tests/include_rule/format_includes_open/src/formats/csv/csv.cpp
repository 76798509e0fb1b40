#include "formats/open/open.h"
