import type { Tx } from '../../../kernel/db/port.ts'

/**
 * Taken by everything that writes assets or relations, before it reads them: two imports at once make no asset twice, and
 * no row has to be locked by itself, which would write each of ten thousand.
 */
export const lockTwin = (tx: Tx): Promise<void> => tx.lock('cybertwins.twin', tx.tenantId)
