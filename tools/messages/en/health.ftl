# The health of an environment and of a dashboard.
health-late = no answer within { $seconds } s
health-no-time = not asked: the { $seconds } s for all of them were over
health-too-long = The summary is too long to be told here; ask about one dashboard or one environment.
health-well = ✅ All is well.
health-attention = { $n ->
    [one] ⚠️ { $n } thing needs attention.
   *[other] ⚠️ { $n } things need attention.
}
health-nothing-wrong = Nothing wrong was found.
health-unchecked = { $n ->
    [one] { $n } thing could not be checked.
   *[other] { $n } things could not be checked.
}
health-down = ⚠️ “{ $title }” ({ $id }) does not answer. { $problem }
health-refused = ⚠️ “{ $title }” ({ $id }) does not let us in. { $problem }
health-environment = Environment “{ $title }” ({ $id })
health-dashboard = Dashboard “{ $title }” (id { $id })
health-dashboard-named = Dashboard “{ $words }”
health-answers = { $name } answers in { $ms } ms
health-changed = Changed { $when } by { $who }
health-not-set-up = { $part }: not set up yet
health-unread = { $part }: could not be read, { $problem }
health-first = The first { $n } of { $total } were asked
health-databases = Databases: { $states }
health-databases-none = There are no databases, or none that this role's account may see
health-database-works = { $n ->
    [one] { $n } works
   *[other] { $n } work
}
health-database-broken = { $n } broken
health-database-empty = { $n } empty
health-database-unchecked = { $n } not checked
health-way-no-right = This role's account may not run SQL: databases were asked for their schemas instead
health-way-closed = A database closed to SQL Lab was asked for its schemas instead
health-way-refused = A database that does not take the query was asked for its schemas instead
health-count-dashboards = { $n ->
    [one] { $n } dashboard ({ $published } published, { $drafts } in draft)
   *[other] { $n } dashboards ({ $published } published, { $drafts } in draft)
}
health-count-charts = { $n ->
    [one] { $n } chart
   *[other] { $n } charts
}
health-count-datasets = { $n ->
    [one] { $n } dataset
   *[other] { $n } datasets
}
health-tasks-mine = Your tasks here: { $running } running, { $failed } failed within 7 days
health-tasks-others = Tasks of others here: { $running } running, { $failed } failed within 7 days
health-maintenance = { $n ->
    [0] No maintenance is open
    [one] { $n } maintenance event is open
   *[other] { $n } maintenance events are open
}
health-event = Maintenance { $id } since { $since }: { $message }
health-event-until = until { $when }
health-event-overdue = should have ended { $when }
health-charts-none = The dashboard has no charts
health-charts = Charts: { $states }
health-chart-works = { $n ->
    [one] { $n } works
   *[other] { $n } work
}
health-chart-broken = { $n } broken
health-chart-unchecked = { $n } not checkable
health-holes = { $n ->
    [one] The layout has a place for { $n } chart that is not attached: id { $ids }
   *[other] The layout has places for { $n } charts that are not attached: ids { $ids }
}
health-unplaced = { $n ->
    [one] { $n } chart is attached and has no place in the layout: id { $ids }
   *[other] { $n } charts are attached and have no place in the layout: ids { $ids }
}
health-part-git = Git
health-part-validation = Validation
health-part-charts = Charts
health-part-chart = Chart
health-part-databases = Databases
health-part-database = Database
health-part-dashboards = Number of dashboards
health-part-datasets = Number of datasets
health-part-tasks = Tasks
health-part-maintenance = Maintenance
health-state = State
health-why = Why
health-state-broken = ⚠️ broken
health-state-empty = ⚠️ empty
health-state-unchecked = not checked
health-state-no-query = not checkable
health-state-no-dataset = ⚠️ broken
health-state-running = not checkable
health-why-empty = It has no tables; with SQLite this is what a lost file looks like.
health-why-no-query = It was saved without its query. Open it in Superset and save it once.
health-why-no-dataset = The dataset that it shows is no longer in Superset.
health-why-running = Superset runs it in the background.
