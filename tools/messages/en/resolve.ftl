# Questions about what a call means.
no-such-dashboard = There is no dashboard “{ $name }” here, or you may not see it. Name it by its id or its title.
which-dashboard = { $total ->
    [one] One dashboard matches “{ $name }” ({ $shown } shown). Which one do you mean? Answer with its id.
   *[other] { $total } dashboards match “{ $name }”; the first { $shown } are below. Which one do you mean? Answer with its id.
}
dashboard-not-in-environment = The dashboard “{ $name }” of your page is not in the environment “{ $environment }”. Name a dashboard of that environment.
dataset-not-in-environment = The dataset “{ $name }” of your page is not in the environment “{ $environment }”. Name a dataset of that environment.
no-such-dataset = There is no dataset “{ $name }” here, or you may not see it. Name it by its id or its name.
which-dataset = { $total ->
    [one] One dataset matches “{ $name }” ({ $shown } shown). Which one do you mean? Answer with its id.
   *[other] { $total } datasets match “{ $name }”; the first { $shown } are below. Which one do you mean? Answer with its id.
}
dataset-unused = No dashboard that you may see stands on the dataset “{ $name }”.
which-environment = Which environment do you mean? Known: { $known }.
missing-dashboards = Which dashboard do you mean? Name its title or id.
missing-task-id = Which task do you mean? Name its number.
missing-event-id = Which maintenance event do you mean? Name its id, or the dashboard it is on.
which-database = { $total ->
    [one] { $total } database fits “{ $name }”, { $shown } shown. Which one do you mean? Give its id.
   *[other] { $total } databases fit “{ $name }”, { $shown } shown. Which one do you mean? Give its id.
}
no-such-database = There is no database “{ $name }” here, or you may not see it. Known: { $known }.
which-of-databases = Which database do you mean? Known: { $known }.
missing-database = Which database do you mean? Give its name or id.
missing-dataset = Which dataset do you mean? Give its name or id.
missing-sql = Which SQL? Write all of it, for example in backticks.
missing-result-id = Which result do you mean? Give its id.
page-closed = Your page is of the environment “{ $environment }”, which may not be read for this. Name what you mean by its title or id.
