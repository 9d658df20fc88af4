/**
 * Targets that no fault reaches: authentication and authorization, audit logs, kill switches, and the experiments
 * themselves. People who run experiments must be able to sign in, to stop them and to prove the outcome. Checked when an
 * experiment is made and again by the hook at every operation. Pure. Tested in rules.test.ts.
 */
import type { FaultPoint, SeamName } from '../../../kernel/faults/seams.ts'

/** Modules whose routes and jobs a fault may reach; all others are protected, those of the kernel too. */
const reachable: readonly string[] = [
  'gateway',
  'risk',
  'compliance',
  'trust',
  'svc-ai',
  'cybertwins',
  'data-gov',
  'platform',
]

const neverTouched = /audit|kill[-_]switch|evidence/

/** Whether a declared target names something that is protected. */
export function protectedTarget(seam: SeamName, target: string): boolean {
  if (target === '*') return false
  if (seam === 'database') return isProtectedRoute(target)
  return isOfModule(seam) && isProtectedWork(target)
}

/** Whether an operation is protected, whatever the targets of an experiment say. */
export function protectedPoint(seam: SeamName, { target, route }: FaultPoint): boolean {
  if (seam === 'database') return route === null || route === undefined || isProtectedRoute(route)
  return isOfModule(seam) && isProtectedWork(target)
}

/** Seams whose targets are named after the module that does the work. */
const isOfModule = (seam: SeamName): boolean => seam === 'job' || seam === 'bus' || seam === 'http_out'

function isProtectedRoute(path: string): boolean {
  const module = /^\/api\/v1\/([a-z-]+)/.exec(path)?.[1]
  return module === undefined || !reachable.includes(module) || neverTouched.test(path)
}

function isProtectedWork(name: string): boolean {
  const module = /^([a-z-]+)\./.exec(name)?.[1]
  return module === undefined || !reachable.includes(module) || neverTouched.test(name)
}
