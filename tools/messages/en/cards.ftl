# The card that a person decides on.
badge-prod = ⚠️ PRODUCTION
badge-staging = staging
badge-dev = dev
badge-unknown = ⚠️ unknown environment
badge-no-environment = no environment
badge-read = reading data
badge-denied = Access denied
card-prod = This changes PRODUCTION. Approve only what you have checked.
card-staging = Changes in the staging environment.
card-dev-guarded = Changes in the dev environment.
card-dev-dangerous = Changes in the dev environment that are hard to undo.
card-dev-safe = Changes in the dev environment.
card-unknown = This changes an environment whose stage is unknown. Treat it as production.
card-read = Reading data. Nothing is changed.
card-denied = Access denied. The operation did not run.
card-environment = Environment: { $title }
card-peer = A second person must approve this: another user who may do the same there. Tell them; they find it on the page /agent. When they have approved, say “continue”. You can withdraw it.
card-arguments = Arguments: { $json }
card-asked = Asked in these words: { $words }
card-terms = Roles: { $roles }. Good until { $until }. Digest: { $digest }
card-difference = { $name }: { $before } → { $after }
card-more = { $n ->
    [one] and { $n } more
   *[other] and { $n } more
}
impact-read = Reading data
impact-unknown = How much would change could not be counted.
impact-changed = { $n ->
    [0] Nothing would be changed
    [one] { $n } dashboard would be changed
   *[other] { $n } dashboards would be changed
}
impact-created = { $n ->
    [one] { $n } object would be created
   *[other] { $n } objects would be created
}
impact-removed = { $n ->
    [one] { $n } object would be removed
   *[other] { $n } objects would be removed
}
denied-role = Access denied: this needs the role “{ $role }” or a higher one.
denied-unknown-tool = Access denied: there is no such tool.
denied-unknown-user = Access denied: who asks is not known.
denied-unknown-environment = Access denied: the environment is not known.
denied-environment-not-allowed = Access denied: this environment is not among yours.
denied-no-credentials = Access denied: no account of this environment serves your role.
denied-stage = Access denied: the policy does not allow this tool at this stage.
denied-policy = Access denied: the policy of this deployment lets nobody do this there.
confirm-too-many = There are more decisions than open cards ({ $cards }). Nothing was decided.
confirm-shape = The answer was not understood. Send {"{"}"decisions": [{"{"}"type": "approve"{"}"}]{"}"} or reject, edit, respond. The card stays open.
confirm-unknown-id = There is no open card with the id “{ $id }”. The card stays open.
confirm-wrong-digest = The card has changed since it was answered: the digest does not match. Look at it again.
confirm-edit-tool = An edit may change the arguments, not the tool. The card stays open.
confirm-edit-invalid = The edited arguments are not valid. { $problem }
    The card stays open.
confirm-edit-raised = The edit changes the objects, the environment or the risk. Look at the new card.
confirm-expired = The card has expired. Look at it again and decide.
confirm-wrong-user = Only the person who asked may decide on this card.
confirm-failed = The answer could not be carried out because of an internal fault; details are in the server's log. The card stays open.
confirm-peer-waits = No second person has approved this yet: you can't do it yourself. The card stays open.
confirm-peer-only = Only another user than the one who asked can approve this.
peer-rejected = Operation cancelled. It did not run: { $who } rejected it. { $reason }
operation-cancelled = Operation cancelled
approval-gone = There is no such open card any more, or it was never one for you. Nothing was decided.
approval-late = The time of this card has run out. Its asker can ask again.
approval-rules = The rules of this deployment have changed since the card was made. Its asker must ask again.
