export const providerKinds = [
  'echo',
  'openai',
  'openai_compatible',
  'anthropic',
  'azure_openai',
  'mistral',
  'cohere',
  'ollama',
  'google_gemini',
  'google_vertex',
  'aws_bedrock',
] as const
export type ProviderKind = (typeof providerKinds)[number]
