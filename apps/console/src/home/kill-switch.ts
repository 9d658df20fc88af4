import type { Data } from '../api/client'
import { words } from '../ui/format'

export type KillSwitch = Data<'/gateway/kill-switches'>

export const scopeOf = ({ scope, value }: Pick<KillSwitch, 'scope' | 'value'>): string =>
  scope === 'tenant' ? 'the whole tenant' : `${words(scope).toLowerCase()} ${value ?? ''}`
