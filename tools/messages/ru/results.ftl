# Pages of long results.
result-page-items = Записи { $first }–{ $last } из { $total }:
result-page-characters = Символы { $first }–{ $last } из { $total }:
result-more = Есть ещё: скажите «дальше».
result-end = Это всё.
no-such-result = Результата «{ $id }» в этом разговоре нет. Повторите запрос, чтобы получить его снова.
no-such-page = В результате нет места { $offset }: последнее — { $last }.
nothing-shortened = { $title }: в этом разговоре ни один результат не сокращался, читать дальше нечего.
