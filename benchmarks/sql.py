"""What the check of a query costs, against only parsing the same text."""

from collections.abc import Iterator

import sqlglot

from benchmarks.measure import Figure, compare, figure
from tools.sql.check import check

QUERY = """WITH monthly AS (
  SELECT date_trunc('month', o.order_date) AS month, c.region, sum(o.amount) AS amount,
         count(*) FILTER (WHERE o.status = 'cancelled') AS cancelled
  FROM sales.orders AS o JOIN sales.customers AS c ON c.id = o.customer_id
  WHERE o.order_date >= current_date - interval '1 year' AND c.segment IN ('B2B', 'Gov')
  GROUP BY 1, 2
)
SELECT region, month, amount, -- the running total
       sum(amount) OVER (PARTITION BY region ORDER BY month) AS running,
       CASE WHEN amount > 100000 THEN 'large' ELSE 'small' END AS size
FROM monthly
WHERE cancelled < 10
ORDER BY region, month DESC
LIMIT 500"""
DIALECT = "postgres"


def sql_check() -> Iterator[Figure]:
    """The allow-list check of a typical query, with a comment to leave out."""
    ours, _, ratio = compare(
        lambda: check(QUERY, DIALECT), lambda: sqlglot.parse_one(QUERY, dialect=DIALECT)
    )
    yield figure("sql_check", ours, "ms", "the check of a typical query")
    yield Figure("sql_check_vs_parse", ratio, "ratio", "the same against sqlglot.parse_one")


BENCHMARKS = (sql_check,)
