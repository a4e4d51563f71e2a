# What went wrong with Superset, by the error's code, and what to do about it.
superset-error = The request to Superset failed.
superset-unreachable = Superset cannot be reached; nothing was sent. Check that the installation runs and that its address in the settings is right, then try again.
superset-unanswered = Superset took the request and did not answer. If it was to change something, its outcome is unknown: look at the object before you try again.
superset-too_large = Superset's answer is too large to be read whole. Ask for less.
superset-server_fault = Superset failed while it worked on the request.
superset-bad_answer = The address answers, but not as Superset does: a proxy or a login page may stand before it. Check the address in the settings.
superset-refused = Superset refused the request; nothing was done.
superset-not_found = There is no such object in Superset, or this role's account may not see it.
superset-forbidden = This role's Superset account has no right to do this: only an owner of the object or an administrator has. Nothing was done.
superset-invalid = Superset does not accept the values; nothing was done.
superset-busy = Superset has too many requests; nothing was done. Try again in a minute.
superset-redirected = The address leads elsewhere; nothing was done. Put Superset's own address into the settings.
superset-changed = Somebody changed the object in Superset meanwhile; nothing was done. Look at it and ask again.
superset-login_failed = Superset does not accept the account of this role; nothing was done. Its password or key in the settings needs to be renewed by an administrator.
superset-session_expired = The session expired, reload the page. Nothing was done.
superset-csrf_refused = Superset does not accept the protection token (CSRF); nothing was done. A proxy may drop cookies or the Referer header, or the address differs from the one Superset knows itself by.
