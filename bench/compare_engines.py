"""How many times as fast as the pure engine the compiled one is: ``python bench/compare_engines.py``.

That is dfs, the same search in C. The sets are too small for the lane engine: see compare_prototype.py.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from statistics import median
from typing import Any

import boards
import engines
import measuring
import tasks
from boards import BoardSet


def main() -> None:
    options = parse()
    engines.need_compiled()
    results = [compare(name, "solve_many", options.rounds) for name in options.set]
    if "easy" in options.set:
        results.append(compare("easy", "classic", options.rounds))
    if options.json:
        print(json.dumps({"machine": measuring.machine(), "results": results}, indent=2))
    else:
        show(results)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", action="append", choices=boards.names(), help="only this set; can be repeated")
    parser.add_argument("--rounds", type=int, default=15, metavar="N", help="runs of each engine (default 15)")
    parser.add_argument("--json", action="store_true", help="print JSON, with the result of each run")
    options = parser.parse_args()
    options.set = options.set or boards.names()
    return options


def compare(name: str, task: str, rounds: int) -> dict[str, Any]:
    """Measure both engines on a set, in turn, after a check that their answers are right."""
    board_set = boards.load(name)
    function, argument, check = prepared(task, board_set)
    measures = {}
    for engine in (engines.COMPILED, engines.PURE):
        with engines.using(engine):
            check(board_set, function(argument))
        measures[engine] = engines.repeated(engine, function, argument)
    runs = measuring.in_turn(measures, rounds)
    compiled, pure = runs[engines.COMPILED], runs[engines.PURE]
    return {
        "set": name,
        "task": task,
        "boards": len(board_set),
        "compiled_boards_per_second": len(board_set) / median(compiled),
        "pure_boards_per_second": len(board_set) / median(pure),
        "ratio": median(pure) / median(compiled),
        "ratio_by_round": [b / a for a, b in zip(compiled, pure, strict=True)],
    }


def prepared(task: str, board_set: BoardSet) -> tuple[Callable[[Any], Any], Any, Callable[..., None]]:
    """Return the function to measure, its argument, and the check of its result."""
    if task == "classic":
        return tasks.classic_each, board_set.texts, tasks.check_solutions
    return tasks.solve_many, board_set.values(), tasks.check_batch


def show(results: list[dict[str, Any]]) -> None:
    print(measuring.machine())
    print("boards per second, one thread; medians of runs in turn\n")
    header = ["set, task", "boards", "compiled", "pure", "compiled is", "by round"]
    measuring.print_table(header, list(map(row, results)))


def row(result: dict[str, Any]) -> list[str]:
    by_round = result["ratio_by_round"]
    return [
        f"{result['set']}, {result['task']}",
        str(result["boards"]),
        f"{result['compiled_boards_per_second']:,.0f}",
        f"{result['pure_boards_per_second']:,.0f}",
        f"{result['ratio']:.1f} times pure",
        f"{min(by_round):.0f} to {max(by_round):.0f}",
    ]


if __name__ == "__main__":
    main()
