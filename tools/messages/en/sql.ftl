# SQL: what is not run and why, what a query brought, what became of the layout of a text.
sql-refused = The query was not run; nothing was sent. { $why }
sql-refused-empty = There is no statement in it: only blanks or comments.
sql-refused-too-long = It is too long: at most 100000 characters and 20000 words and marks are read.
sql-refused-too-deep = Brackets or expressions in it are nested too deeply to be checked.
sql-refused-template = It has a template ({ $found }): it would be sent as it stands. Put the value in.
sql-refused-executable-comment = It has a comment that databases obey ({ $found }). Leave it out.
sql-refused-unreadable = It can't be read as SQL of this database ({ $found }), so nobody can tell what it does. Check its spelling.
sql-refused-several = It has more than one statement: { $found } begins another. Ask for one query at a time.
sql-refused-statement = It begins with { $found }. Only one SELECT, or WITH ... SELECT, is run.
sql-refused-writes-inside = { $found } inside it changes data. Only queries that read are run.
sql-refused-into = { $found } writes the result somewhere. Only queries that read are run.
sql-refused-lock = { $found } locks rows or tables. Leave it out.
sql-refused-settings = It changes a setting or a variable ({ $found }). Leave that out.
sql-refused-bind = It has a parameter ({ $found }) that has no value. Put the value in.
sql-refused-construct = { $found } is not among the parts of SQL that are known to read only.
sql-refused-ambiguous = Databases read { $found } in different ways, so nobody can tell where a text in quotes ends. Double a quote inside a text instead of putting a backslash before it.
sql-refused-file-table = { $found } would be read as a file or an address, not as a table.
sql-refused-remote-table = { $found } is on another server.
sql-refused-table-function = The function { $found } stands in the place of a table, and is not among those that are known to read only.
sql-refused-files = The function { $found } reaches files or the server's environment.
sql-refused-large-objects = The function { $found } works on large objects.
sql-refused-network = The function { $found } reaches other servers.
sql-refused-programs = { $found } runs programs.
sql-refused-waits = The function { $found } only makes the database wait.
sql-refused-server = The function { $found } controls the server, or is not known to leave it alone.
sql-refused-state = { $found } changes the state of the database.
sql-refused-runs-text = { $found } runs a text as SQL, which can't be checked.
sql-refused-models = { $found } calls a model: that costs, and sends data away.
sql-closed = The database “{ $database }” is not open to SQL Lab; an administrator decides that in its settings in Superset.
sql-failed = The database “{ $database }” did not run the query: { $detail }
sql-no-right = This role's Superset account may not run SQL. An administrator gives that right (the role sql_lab).
sql-no-access = This role's Superset account may not read what the query names: { $detail }
sql-dml = Superset takes this for a change of data and does not run it: { $detail }
sql-no-database = Superset does not find the database “{ $database }”, or this role's account may not use it.
sql-killed = Superset's own time for a query ran out: { $detail }
sql-late-running = After { $seconds } s there was no answer. The query still runs, and this database offers no way to stop it. Do not ask for it again as it is: narrow it down.
sql-late-stopped = After { $seconds } s there was no answer. The query was stopped. Narrow it down, or ask for fewer rows.
sql-late-finished = After { $seconds } s there was no answer, and the query has ended meanwhile. Ask again, or narrow it down.
sql-late-unknown = After { $seconds } s there was no answer. Whether the query still runs is not known; Superset's query history tells. Narrow it down before you ask again.
sql-rows = { $total ->
    [one] { $total } row ({ $environment }, database “{ $database }”).
   *[other] { $total } rows ({ $environment }, database “{ $database }”).
}
sql-more = There are more rows: only the first { $limit } were read.
sql-shown = { $shown ->
    [one] Only { $shown } row is shown here.
   *[other] Only { $shown } rows are shown here.
}
sql-clamped = { $asked } rows were asked for; 1 to 1000 can be read at a time.
sql-ran = What was sent:
sql-columns-left = { $n ->
    [one] { $n } more column is not shown.
   *[other] { $n } more columns are not shown.
}
sql-left = Left as it is: { $why }
sql-left-empty = there is nothing to lay out.
sql-left-too-long = it is longer than 100000 characters or 20000 words and marks.
sql-left-unreadable = it can't be read as SQL.
sql-left-nonsense = this is no SQL statement.
sql-left-template = it would not be certain that the templates stay in their places.
sql-left-meaning = laid out, it might mean something else.
sql-local-parameters = Laid out without Superset, which would change templates and parameters.
sql-local-right = Laid out without Superset: this role's account has no right to its formatter.
sql-local-superset = Laid out without Superset, which did not do it: { $problem }
sql-local-meaning = Laid out without Superset, which would have written something else.
sql-already = It is laid out already.
