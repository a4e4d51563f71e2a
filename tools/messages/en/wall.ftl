# The second wall: what only an admin may send to the server.
wall-goto = Access denied: a run may not be sent to a step of the graph (command.goto); only the role “admin” may do that. Answer an open card with command.resume, or send a message.
wall-update = Access denied: the state may not be changed by a run (command.update); only the role “admin” may do that. Send a message, or edit the call in the answer to its card.
wall-command = Access denied: of a command only “resume” is taken. Answer an open card with command.resume, or send a message.
wall-beside = Access denied: an answer to a card comes alone, without an input beside it. Send the message after the answer.
wall-checkpoint = Access denied: a card is answered where it is open, not from an earlier checkpoint; only the role “admin” may do that. Send the answer without a checkpoint.
wall-messages = Access denied: only messages of a person (role “user”) are taken; the agent writes all others itself. Only the role “admin” may write a state. Send only the new message.
wall-state = Access denied: only the role “admin” may write a thread’s state, as an edit or a fork in LangGraph Studio does. Send a message, or answer the open card.
wall-past = Access denied: only the role “admin” may make a thread with a past (supersteps). Make an empty thread.
