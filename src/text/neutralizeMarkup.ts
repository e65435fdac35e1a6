// Makes text of others harmless before it is injected.

/** Escapes markup that the client or the model could take for its own: a memory may contain text of others. */
export const neutralizeMarkup = (text: string): string =>
  !text.includes('<') ? text : text.replace(/<(\/?)(system-reminder|private|task-notification)/gi, '‹$1$2')
