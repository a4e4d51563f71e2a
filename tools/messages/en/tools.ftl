# Names of tools and groups, and the answers the embedded planner makes of results.
tool-show-capabilities = What I can do
tool-list-environments = List the environments
tool-search-dashboards = Find dashboards
tool-get-task-status = State of tasks
tool-list-maintenance-events = List maintenance
tool-start-maintenance = Start maintenance
tool-end-maintenance = End maintenance
tool-get-health-summary = Health
tool-superset-explore-database = Explore a database
tool-superset-execute-sql = Run SQL
tool-superset-format-sql = Format SQL
tool-read-result = Read a result on
group-capabilities = Help
group-installation = Installations
group-dashboards = Dashboards
group-operations = Tasks
group-maintenance = Maintenance
group-health = Health
group-explore = Data
group-sql = SQL
group-results = Results
capabilities-head = Here you can ask me for:
environments-none = No environment is configured for your role.
environments-id = Id
environments-title = Title
environments-stage = Stage
environments-host = Host
environments-version = Version
environments-state = State
environment-up = answers in { $ms } ms
environment-down = does not answer: { $problem }
search-none = { $total ->
    [0] No dashboard was found.
   *[other] No dashboard on this page; { $total } in all.
}
search-found = { $total ->
    [one] Found { $total } dashboard ({ $environment }).
   *[other] Found { $total } dashboards ({ $environment }).
}
search-shown = { $first } to { $last } of { $total } shown. Say “next page” to see others, or narrow the request.
search-last = { $first } to { $last } of { $total } shown: these are the last.
search-link = Open one: { $link }
search-id = Id
search-title = Title
search-state = State
search-changed = Changed
published = published
draft = draft
tasks-none = You have no tasks.
no-such-task = You have no task { $id }.
tasks-id = Task
tasks-kind = What
tasks-environment = Environment
tasks-state = State
tasks-progress = Progress
tasks-start = Started
task-running = running
task-done = done
task-failed = failed
task-unknown = unknown: check it
task-cancelled = cancelled
events-none = There is no maintenance.
events-found = { $total ->
    [one] { $total } maintenance event.
   *[other] { $total } maintenance events, { $shown } shown.
}
events-id = Event
events-environment = Environment
events-dashboards = Dashboards
events-message = Message
events-by = Started by
events-since = Since
events-until = Until
events-state = State
event-open = open
event-closed = closed
event-overdue = open, overdue
maintenance-default = Maintenance is under way; numbers may be incomplete.
maintenance-on = Dashboard “{ $title }” (id { $id })
maintenance-message = Message: { $message }
maintenance-until = Until { $when } (only shown: nothing ends by itself)
maintenance-already = “{ $title }” already carries the banner of event { $event }; a second one would be added.
maintenance-failed = Not done on “{ $title }”: { $problem }
started = { $n ->
    [one] Maintenance { $event } has begun: the banner is on { $titles }.
   *[other] Maintenance { $event } has begun: the banner is on { $n } dashboards: { $titles }.
}
ending = Maintenance { $event }: { $message }
ended = { $n ->
    [0] Maintenance { $event } has ended; no banner was left to remove.
    [one] Maintenance { $event } has ended: the banner is gone from { $titles }.
   *[other] Maintenance { $event } has ended: the banner is gone from { $n } dashboards: { $titles }.
}
banner = ### ⚠️ Maintenance

    { $message }

    { $until }
banner-until = Until { $when }
changed-since-card = the dashboard was changed after the card was shown; nothing was changed. Ask again.
dashboard-gone = the dashboard no longer exists, or you may not see it.
no-such-event = There is no open maintenance with the id { $id } in this environment.
no-event-there = There is no open maintenance on this dashboard.
no-event-here = There is no open maintenance in this environment.
which-event = { $n ->
    [one] { $n } maintenance event is open. Is it this one? Answer with its id.
   *[other] { $n } maintenance events are open. Which one do you mean? Answer with its id.
}
time-unclear = I do not understand the time “{ $words }”. Say it like “until 18:00”, “for 2 hours” or “until 2027-01-31T18:00”; it is { $now }.
time-past = The time “{ $words }” is already over (it is { $now }). Name a later one.
time-far = The time “{ $words }” is more than a year away. Name a nearer one.
missing-ends-at = Until when?
