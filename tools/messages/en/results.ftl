# Pages of long results.
result-page-items = Items { $first }–{ $last } of { $total }:
result-page-characters = Characters { $first }–{ $last } of { $total }:
result-more = There is more: say “next page”.
result-end = That is all.
no-such-result = There is no result “{ $id }” in this conversation. Ask again to get it anew.
no-such-page = The result has nothing at { $offset }: the last place is { $last }.
nothing-shortened = { $title }: no result of this conversation was shortened, there is nothing more to read.
