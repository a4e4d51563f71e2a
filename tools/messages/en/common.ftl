# Words that several texts share.
unknown-environment = There is no environment “{ $name }”. Known: { $known }.
