# What the embedded planner says when it makes no call.
planner-unknown = I am a command interpreter, not a conversational model, and I did not understand this. Try, for example:
planner-hello = Hello! I run commands, for example:
planner-welcome = You are welcome! I can also do this, for example:
planner-no-tools = I am a command interpreter, and no tool is available to me here.
planner-ask = “{ $words }” can mean several things. Please be more precise, for example:
planner-how = Write it like this, for example:
planner-missed = I did not understand “{ $words }” and leave it out.
planner-quote-join = ”, “
planner-refused-words = I did nothing, because I do not understand “{ $words }”.
planner-refused-schedule = I did nothing: “{ $words }” is a time at which to begin, but everything is done at once and cannot be scheduled.
planner-until = An end can be given, for example “until 18:00” or “for 2 hours”.
planner-without = Without these words it would be: { $example } ({ $facts }). Please say it again without them, and put titles in quotation marks.
planner-without-facts = Without these words it would be: { $example }. Please say it again without them, and put titles in quotation marks.
planner-refused-every = I did nothing: name the dashboards by their ids or titles (several are fine), or give one dataset. To find them, search first, for example: “find dashboards about sales”.
planner-refused-every-event = I did nothing: maintenance is ended one by one, by its id or by a dashboard. “Which maintenance is open?” shows the ids.
planner-refused-places = I did nothing: it is not clear what is meant in which environment. Please send one request for each environment.
planner-cannot = I cannot do “{ $words }” here. What I can do:
planner-cannot-plan = I cannot schedule this (“{ $words }”): everything is done at once. What I can do:
planner-cut = { $n ->
    [one] I take the first command; please send the others separately.
   *[other] I take the first { $n } commands; please send the others separately.
}
planner-yes = Words do not approve an action: a card is decided by its buttons.
planner-withdrawn = Your message withdrew the card, so nothing was run. Ask again, and decide with the card’s buttons.
planner-cancelled = It is cancelled, nothing was run.
planner-no = All right, nothing will be done.
planner-done = Done.
planner-nothing = There is nothing.
planner-no-next = There is nothing further: all of it was shown.
planner-no-previous = This is the beginning: there is no page before it.
planner-too-long = The message has { $n } characters and I read { $most } at most, so I did nothing. Please say it shorter.
