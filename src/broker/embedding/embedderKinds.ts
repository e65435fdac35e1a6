// The embedders there are, by name. Apart from choosing one, so that a command's help loads no YAML.
export const EMBEDDER_KINDS = ['builtin', 'transformers', 'openai', 'azure'] as const
export type EmbedderKind = (typeof EMBEDDER_KINDS)[number]
