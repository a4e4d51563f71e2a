# Names of tools and groups, and the answers the embedded planner makes of results.
tool-show-capabilities = Что я умею
tool-list-environments = Список окружений
tool-search-dashboards = Найти дашборды
tool-get-task-status = Состояние задач
tool-list-maintenance-events = Список обслуживаний
tool-start-maintenance = Начать обслуживание
tool-end-maintenance = Завершить обслуживание
tool-get-health-summary = Здоровье
tool-superset-explore-database = Изучить базу данных
tool-superset-execute-sql = Выполнить SQL
tool-superset-format-sql = Отформатировать SQL
tool-read-result = Дочитать результат
group-capabilities = Справка
group-installation = Окружения
group-dashboards = Дашборды
group-operations = Задачи
group-maintenance = Обслуживание
group-health = Здоровье
group-explore = Данные
group-sql = SQL
group-results = Результаты
capabilities-head = Здесь меня можно попросить:
environments-none = Для вашей роли не настроено ни одного окружения.
environments-id = Id
environments-title = Название
environments-stage = Стадия
environments-host = Адрес
environments-version = Версия
environments-state = Состояние
environment-up = отвечает за { $ms } мс
environment-down = не отвечает: { $problem }
search-none = { $total ->
    [0] Дашбордов не найдено.
   *[other] На этой странице дашбордов нет; всего { $total }.
}
search-found = { $total ->
    [one] Найден { $total } дашборд ({ $environment }).
    [few] Найдено { $total } дашборда ({ $environment }).
   *[many] Найдено { $total } дашбордов ({ $environment }).
}
search-shown = Показаны { $first }–{ $last } из { $total }. Скажите «дальше», чтобы увидеть остальные, или уточните запрос.
search-last = Показаны { $first }–{ $last } из { $total }: это последние.
search-link = Открыть: { $link }
search-id = Id
search-title = Заголовок
search-state = Состояние
search-changed = Изменён
published = опубликован
draft = черновик
tasks-none = У вас нет задач.
no-such-task = У вас нет задачи { $id }.
tasks-id = Задача
tasks-kind = Что
tasks-environment = Окружение
tasks-state = Состояние
tasks-progress = Готово
tasks-start = Начата
task-running = выполняется
task-done = выполнена
task-failed = не удалась
task-unknown = неизвестно: проверьте
task-cancelled = отменена
events-none = Обслуживаний нет.
events-found = { $total ->
    [one] { $total } обслуживание, показано { $shown }.
    [few] { $total } обслуживания, показано { $shown }.
   *[many] { $total } обслуживаний, показано { $shown }.
}
events-id = Событие
events-environment = Окружение
events-dashboards = Дашборды
events-message = Сообщение
events-by = Кто начал
events-since = С
events-until = До
events-state = Состояние
event-open = идёт
event-closed = завершено
event-overdue = идёт, просрочено
maintenance-default = Идёт обслуживание, данные могут быть неполными.
maintenance-on = Дашборд «{ $title }» (id { $id })
maintenance-message = Сообщение: { $message }
maintenance-until = До { $when } (только надпись: само обслуживание не завершится)
maintenance-already = На «{ $title }» уже есть баннер события { $event }; будет добавлен второй.
maintenance-failed = Не сделано на «{ $title }»: { $problem }
started = { $n ->
    [one] Обслуживание { $event } начато: баннер на дашборде { $titles }.
    [few] Обслуживание { $event } начато: баннер на { $n } дашбордах: { $titles }.
   *[many] Обслуживание { $event } начато: баннер на { $n } дашбордах: { $titles }.
}
ending = Обслуживание { $event }: { $message }
ended = { $n ->
    [0] Обслуживание { $event } завершено; баннеров, которые надо убрать, не осталось.
    [one] Обслуживание { $event } завершено: баннер убран с дашборда { $titles }.
    [few] Обслуживание { $event } завершено: баннер убран с { $n } дашбордов: { $titles }.
   *[many] Обслуживание { $event } завершено: баннер убран с { $n } дашбордов: { $titles }.
}
banner = ### ⚠️ Обслуживание

    { $message }

    { $until }
banner-until = До { $when }
changed-since-card = дашборд изменили после показа карточки; ничего не изменено. Спросите ещё раз.
dashboard-gone = дашборда больше нет, или он вам не виден.
no-such-event = Открытого обслуживания с id { $id } в этом окружении нет.
no-event-there = На этом дашборде нет открытого обслуживания.
no-event-here = В этом окружении нет открытого обслуживания.
which-event = { $n ->
    [one] Открыто { $n } обслуживание. Это оно? Укажите его id.
    [few] Открыто { $n } обслуживания. Какое вы имеете в виду? Укажите его id.
   *[many] Открыто { $n } обслуживаний. Какое вы имеете в виду? Укажите его id.
}
time-unclear = Не понимаю время «{ $words }». Скажите, например, «до 18:00», «на 2 часа» или «до 2027-01-31T18:00»; сейчас { $now }.
time-past = Время «{ $words }» уже прошло (сейчас { $now }). Укажите более позднее.
time-far = Время «{ $words }» дальше чем через год. Укажите более раннее.
missing-ends-at = До какого времени?
