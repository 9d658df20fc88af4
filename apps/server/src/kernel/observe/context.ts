/** Facts about the work at hand that every log line of it should carry; they follow it through its awaits. */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface WorkContext {
  request_id?: string
  tenant_id?: string
  actor_id?: string
  /** The 32-digit trace id alone. */
  trace?: string
}

const storage = new AsyncLocalStorage<WorkContext>()

/** Runs `work` with these facts; what it starts inherits them. */
export function withContext<T>(context: WorkContext, work: () => T): T {
  return storage.run({ ...context }, work)
}

/** Adds what became known later, for instance the caller after authentication. Does nothing outside `withContext`. */
export function amendContext(facts: WorkContext): void {
  const context = storage.getStore()
  if (context !== undefined) Object.assign(context, facts)
}

export function currentContext(): Readonly<WorkContext> | undefined {
  return storage.getStore()
}
