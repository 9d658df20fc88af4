/** Words of the register of agents. */
export const environments = ['dev', 'staging', 'prod'] as const
export const dataClasses = ['public', 'internal', 'confidential', 'restricted'] as const
export type DataClass = (typeof dataClasses)[number]

/** The most that a tool can do, in ascending order of its weight in the risk score. */
export const capabilities = ['read', 'write_internal', 'external_send', 'code_exec', 'payment', 'destructive'] as const
export type Capability = (typeof capabilities)[number]

/** Kinds of things seen in an agent's traffic. */
export const useKinds = ['tool', 'model', 'destination', 'data_class'] as const
export type UseKind = (typeof useKinds)[number]
