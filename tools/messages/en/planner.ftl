# What the embedded planner says when it makes no call.
planner-unknown = I interpret commands, I am not a conversational model, and I did not understand this. Here is what would work:
planner-no-tools = I interpret commands, I am not a conversational model, and no tool is available to me here.
planner-ask = “{ $words }” can mean several things. Please be more precise, for example:
planner-how = Write it like this, for example:
planner-missed = I did not understand “{ $words }” and leave it out.
planner-cut = { $n ->
    [one] I take the first command; please send the others separately.
   *[other] I take the first { $n } commands; please send the others separately.
}
planner-yes = Words do not approve an action: a card is decided by its buttons.
planner-no = All right, nothing will be done.
planner-done = Done.
planner-nothing = There is nothing.
