#pragma once
#include "accelscope/flags.h"
#include "base/text.h"
#include "formats/csv/csv_rows.h"
#include "formats/reader.h"
#include "trace/trace.h"
