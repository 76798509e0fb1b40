const char* kId = "csv.short_row";
