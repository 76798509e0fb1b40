"""Shows where an AI accelerator's time goes: runs task graphs on a simulated chip, reads recordings, reports.

    import accelscope

    config = accelscope.CallConfig(chip_swimlane_level=3, deps=True)
    result = accelscope.run("bgemm:tile=64", config=config, output="out")
    trace = accelscope.load("out")
    print(accelscope.report("out"))

docs/python.md is the guide.
"""

from collections.abc import Mapping as _Mapping

from ._accelscope import (
    CallConfig,
    Column,
    Fault,
    Findings,
    Metric,
    Output,
    Quality,
    Round,
    RunResult,
    Table,
    Trace,
    WrittenFile,
    __version__,
    load,
    report,
    run,
)
from ._errors import Error, NotFoundError, RunError, UsageError

#: What a column of rows holds where there is none: no parent, no task, no run.
NONE = 0xFFFFFFFF

__all__ = [
    "CallConfig",
    "Column",
    "Error",
    "Fault",
    "Findings",
    "Metric",
    "NONE",
    "NotFoundError",
    "Output",
    "Quality",
    "Round",
    "RunError",
    "RunResult",
    "Table",
    "Trace",
    "UsageError",
    "WrittenFile",
    "__version__",
    "load",
    "report",
    "run",
]

_Mapping.register(Table)

# Where they are looked for, and not where they happen to be made.
for _name in __all__:
    if hasattr(globals()[_name], "__module__"):
        globals()[_name].__module__ = __name__
del _name
