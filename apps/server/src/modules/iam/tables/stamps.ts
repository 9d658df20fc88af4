import Type from 'typebox'
import { Timestamp } from '../../../kernel/schema/types.ts'

/** Columns of rows that are changed under optimistic locking. */
export const stamps = { version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp }
