# Words that several texts share.
unknown-environment = Окружения «{ $name }» нет. Известны: { $known }.
