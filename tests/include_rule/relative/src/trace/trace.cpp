#include "../base/text.h"
