import { jobProgress } from '../../jobs/progress.ts'
import type { EventDefinition } from '../catalogue/catalogue.ts'

/** Channels of the kernel itself. */
export const kernelEvents: readonly EventDefinition[] = [jobProgress]
