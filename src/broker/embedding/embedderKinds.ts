// The names of the embedders. Apart from their configuration, so that a command's help loads no YAML parser.
export const EMBEDDER_KINDS = ['builtin', 'transformers', 'openai', 'azure'] as const
export type EmbedderKind = (typeof EMBEDDER_KINDS)[number]
