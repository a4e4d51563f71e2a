# Databases, tables and datasets.
yes = да
no = нет
which-schema = Какую схему вы имеете в виду? Известны: { $known }.
no-such-schema = Схемы «{ $name }» здесь нет, или она вам не видна. Известны: { $known }.
no-such-table = Таблицы «{ $name }» в схеме { $schema } базы { $database } нет, или учётной записи вашей роли она не видна.
near-tables = Похожие: { $names }.
explore-databases = { $n ->
    [one] { $n } база данных ({ $place }).
    [few] { $n } базы данных ({ $place }).
   *[many] { $n } баз данных ({ $place }).
}
explore-schemas = { $n ->
    [one] { $n } схема ({ $place }).
    [few] { $n } схемы ({ $place }).
   *[many] { $n } схем ({ $place }).
}
explore-tables = { $n ->
    [one] { $n } таблица или представление ({ $place }).
    [few] { $n } таблицы и представления ({ $place }).
   *[many] { $n } таблиц и представлений ({ $place }).
}
explore-datasets = { $n ->
    [one] { $n } датасет ({ $place }).
    [few] { $n } датасета ({ $place }).
   *[many] { $n } датасетов ({ $place }).
}
explore-more = Показано { $last } из { $total }. Скажите «дальше», чтобы увидеть остальное.
explore-head-id = Id
explore-head-name = Имя
explore-head-kind = Вид
explore-head-type = Тип
explore-head-key = Ключ
explore-head-comment = Комментарий
explore-head-backend = СУБД
explore-head-sql-lab = SQL Lab
explore-head-allow-dml = Запись разрешена
explore-head-default = По умолчанию
explore-head-schema = Схема
explore-head-database = База данных
explore-head-changed-on = Изменён
explore-table = { $n ->
    [one] Таблица **{ $table }** (схема { $schema }, база { $database }): { $n } колонка.
    [few] Таблица **{ $table }** (схема { $schema }, база { $database }): { $n } колонки.
   *[many] Таблица **{ $table }** (схема { $schema }, база { $database }): { $n } колонок.
}
explore-index = Индекс { $name }: { $columns }
explore-index-unique = Уникальный индекс { $name }: { $columns }
explore-foreign = Внешний ключ { $columns } → { $target }
dataset-physical = Датасет **{ $name }** (id { $id }, { $environment }): таблица в схеме { $schema } базы { $database }.
dataset-virtual = Датасет **{ $name }** (id { $id }, { $environment }): запрос к базе { $database }, схема { $schema }.
dataset-changed = Изменён { $when }, кем: { $who }.
dataset-owners = Владельцы: { $names }.
dataset-same = Колонки датасета и базы совпадают.
dataset-differs = Датасет расходится с базой:
dataset-missing = нет в базе: { $names }
dataset-new = новые в базе: { $names }
dataset-retyped = { $name }: в датасете { $was }, в базе { $now }
dataset-not-compared = Колонки не удалось сравнить с базой: { $reason }
compare-template = SQL датасета — шаблон или не только читает, поэтому он не запускался.
compare-no-table = таблицы в базе нет, или учётной записи вашей роли она не видна.
dataset-environments = По окружениям:
place-there = { $environment }: id { $id }, база { $database }.
place-not-there = { $environment }: такого датасета нет, или он вам не виден.
place-not-read = { $environment }: не удалось узнать: { $problem }
place-by-name = Найден по имени таблицы: uuid другой.
place-same = Колонки те же.
place-missing = Нет колонок: { $names }.
place-new = Лишние колонки: { $names }.
on-charts = { $n ->
    [0] Графиков на нём нет.
    [one] На нём { $n } график{ $names }.
    [few] На нём { $n } графика{ $names }.
   *[many] На нём { $n } графиков{ $names }.
}
on-dashboards = { $n ->
    [0] Дашбордов на нём нет.
    [one] На нём { $n } дашборд{ $names }.
    [few] На нём { $n } дашборда{ $names }.
   *[many] На нём { $n } дашбордов{ $names }.
}
on-rest = { $n ->
    [one] Ещё { $n } здесь не назван.
    [few] Ещё { $n } здесь не названы.
   *[many] Ещё { $n } здесь не названы.
}
on-hidden = { $n ->
    [one] Ещё { $n } вам не виден.
    [few] Ещё { $n } вам не видны.
   *[many] Ещё { $n } вам не видны.
}
dataset-description = Описание: { $words }
on-charts-unread = Графики не удалось прочитать: { $problem }
on-dashboards-unread = Дашборды не удалось прочитать: { $problem }
dataset-review = Описано колонок: { $described } из { $columns }, метрик: { $told } из { $metrics }.
dataset-columns = { $n ->
    [one] { $n } колонка:
    [few] { $n } колонки:
   *[many] { $n } колонок:
}
dataset-calculated = Вычисляемые: { $names }
dataset-metrics = Метрики: { $names }
database-failed = Базу «{ $name }» не удалось прочитать через Superset. Её ответ: { $problem }
explore-catalogs = Каталоги: { $names }. Схемы — из обычного каталога базы.
explore-catalogs-unread = Каталоги не удалось прочитать: { $problem }
explore-view = { $n ->
    [one] Представление **{ $table }** (схема { $schema }, база { $database }): { $n } колонка.
    [few] Представление **{ $table }** (схема { $schema }, база { $database }): { $n } колонки.
   *[many] Представление **{ $table }** (схема { $schema }, база { $database }): { $n } колонок.
}
dataset-certified = Сертифицирован: { $by }.
dataset-certified-what = Сертифицирован: { $by } ({ $details }).
dataset-warning = Владельцы предупреждают: { $words }
dataset-documentation-not-set-up = Документирование ещё не настроено.
compare-late = база не ответила за { $seconds } с.
compare-no-right = учётная запись вашей роли не может выполнять SQL, а колонки запроса видны, только когда он выполнен.
compare-failed = ответ базы: { $problem }
place-asks = чтение здесь требует согласия человека; спросите об этом окружении отдельно.
place-retyped = Другие типы: { $names }.
place-several = { $n ->
    [one] { $environment }: это имя у { $n } датасета (id { $ids }), а с этим uuid нет ни одного. Какой из них тот же, сказать нельзя.
    [few] { $environment }: это имя у { $n } датасетов (id { $ids }), а с этим uuid нет ни одного. Какой из них тот же, сказать нельзя.
   *[many] { $environment }: это имя у { $n } датасетов (id { $ids }), а с этим uuid нет ни одного. Какой из них тот же, сказать нельзя.
}
explore-kind-table = таблица
explore-kind-view = представление
explore-kind-materialized-view = материализованное представление
explore-kind-physical = таблица
explore-kind-virtual = запрос
explore-kind-primary = первичный
