import type { Actor } from '../../../kernel/access/actor.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import type { PatchReview } from './schema.ts'

export interface ReviewChange {
  readonly actor: Actor
  readonly id: string
  readonly body: PatchReview
  readonly precondition: Precondition
}
