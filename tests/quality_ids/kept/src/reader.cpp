// "comment.alone" is no id.
const char* kIds[] = {"csv.short_row", "csv.long_row"};  // neither is "model.etdump" behind code
const char* kNames[] = {"timeline.csv",    "add.out",   "report.md",
                        "{}.unknown_unit", "Two.words", "a sentence.with_words"};
