import type { Activity } from '../../../kernel/lifecycle/activity.ts'

export interface SetupState extends Activity {
  isComplete(): boolean
  /** Reads the state, and on an empty database puts a new token in place of an older one. */
  ensure(): Promise<{ readonly token: string | null }>
  /** Reads the state only. */
  load(): Promise<boolean>
}
