# The health of an environment and of a dashboard.
health-late = нет ответа за { $seconds } с
health-no-time = не спрошено: { $seconds } с на все вместе истекли
health-too-long = Сводка слишком длинна для ответа; спросите об одном дашборде или одном окружении.
health-well = ✅ Всё в порядке.
health-attention = { $n ->
    [one] ⚠️ Требует внимания: { $n } проблема.
    [few] ⚠️ Требуют внимания: { $n } проблемы.
   *[many] ⚠️ Требуют внимания: { $n } проблем.
}
health-nothing-wrong = Неполадок не найдено.
health-unchecked = { $n ->
    [one] Не удалось проверить { $n } пункт.
    [few] Не удалось проверить { $n } пункта.
   *[many] Не удалось проверить { $n } пунктов.
}
health-down = ⚠️ «{ $title }» ({ $id }) не отвечает. { $problem }
health-refused = ⚠️ «{ $title }» ({ $id }) нас не пускает. { $problem }
health-environment = Окружение «{ $title }» ({ $id })
health-dashboard = Дашборд «{ $title }» (id { $id })
health-dashboard-named = Дашборд «{ $words }»
health-answers = { $name } отвечает за { $ms } мс
health-changed = Изменён { $when }, кем: { $who }
health-not-set-up = { $part }: ещё не настроено
health-unread = { $part }: прочитать не удалось, { $problem }
health-first = Спрошены первые { $n } из { $total }
health-databases = Базы данных: { $states }
health-databases-none = Баз данных нет, или учётной записи этой роли они не видны
health-database-works = { $n ->
    [one] { $n } работает
    [few] { $n } работают
   *[many] { $n } работают
}
health-database-broken = { $n ->
    [one] { $n } сломана
    [few] { $n } сломаны
   *[many] { $n } сломаны
}
health-database-empty = { $n ->
    [one] { $n } пуста
    [few] { $n } пусты
   *[many] { $n } пусты
}
health-database-unchecked = { $n ->
    [one] { $n } не проверена
    [few] { $n } не проверены
   *[many] { $n } не проверены
}
health-way-no-right = Учётной записи этой роли нельзя выполнять SQL: вместо этого у баз спрошены схемы
health-way-closed = У базы, закрытой для SQL Lab, вместо запроса спрошены схемы
health-way-refused = У базы, которая не приняла запрос, вместо него спрошены схемы
health-count-dashboards = { $n ->
    [one] { $n } дашборд (опубликовано { $published }, черновиков { $drafts })
    [few] { $n } дашборда (опубликовано { $published }, черновиков { $drafts })
   *[many] { $n } дашбордов (опубликовано { $published }, черновиков { $drafts })
}
health-count-charts = { $n ->
    [one] { $n } график
    [few] { $n } графика
   *[many] { $n } графиков
}
health-count-datasets = { $n ->
    [one] { $n } датасет
    [few] { $n } датасета
   *[many] { $n } датасетов
}
health-tasks-mine = Ваши задачи здесь: выполняется { $running }, не удалось за 7 дней { $failed }
health-tasks-others = Задачи других здесь: выполняется { $running }, не удалось за 7 дней { $failed }
health-maintenance = { $n ->
    [0] Открытых обслуживаний нет
    [one] Открыто { $n } обслуживание
    [few] Открыто { $n } обслуживания
   *[many] Открыто { $n } обслуживаний
}
health-event = Обслуживание { $id } с { $since }: { $message }
health-event-until = до { $when }
health-event-overdue = должно было завершиться { $when }
health-charts-none = На дашборде нет графиков
health-charts = Графики: { $states }
health-chart-works = { $n ->
    [one] { $n } работает
    [few] { $n } работают
   *[many] { $n } работают
}
health-chart-broken = { $n ->
    [one] { $n } сломан
    [few] { $n } сломаны
   *[many] { $n } сломаны
}
health-chart-unchecked = { $n } проверить нельзя
health-holes = { $n ->
    [one] В макете есть место для { $n } графика, который не привязан к дашборду: id { $ids }
    [few] В макете есть место для { $n } графиков, которые не привязаны к дашборду: id { $ids }
   *[many] В макете есть место для { $n } графиков, которые не привязаны к дашборду: id { $ids }
}
health-unplaced = { $n ->
    [one] { $n } график привязан к дашборду, но места в макете не имеет: id { $ids }
    [few] { $n } графика привязаны к дашборду, но места в макете не имеют: id { $ids }
   *[many] { $n } графиков привязаны к дашборду, но места в макете не имеют: id { $ids }
}
health-part-git = Git
health-part-validation = Проверка
health-part-charts = Графики
health-part-chart = График
health-part-databases = Базы данных
health-part-database = База данных
health-part-dashboards = Число дашбордов
health-part-datasets = Число датасетов
health-part-tasks = Задачи
health-part-maintenance = Обслуживание
health-state = Состояние
health-why = Почему
health-state-broken = ⚠️ не работает
health-state-empty = ⚠️ пуста
health-state-unchecked = не проверено
health-state-no-query = проверить нельзя
health-state-no-dataset = ⚠️ не работает
health-state-running = проверить нельзя
health-why-empty = В ней нет таблиц; у SQLite так выглядит потерянный файл.
health-why-no-query = Сохранён без своего запроса. Откройте его в Superset и сохраните один раз.
health-why-no-dataset = Датасета, который он показывает, в Superset больше нет.
health-why-running = Superset выполняет его в фоне.
