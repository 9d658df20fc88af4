/** Answers of one era in the form of the other. Pure. Tested in proxy/bridge.test.ts. */
import { type Members, objectOf } from '../wire/json-rpc.ts'

/** A result of the modern era without the members that an older client does not know. */
export function toLegacy(answer: Members): Members {
  if (answer.result === undefined) return answer
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...result } = objectOf(answer.result)
  return { ...answer, result }
}

/** A modern client refuses a result that does not say its type; nothing of an older server may be kept. */
export function toModern(answer: Members): Members {
  if (answer.result === undefined) return answer
  return { ...answer, result: { ...objectOf(answer.result), resultType: 'complete', ttlMs: 0, cacheScope: 'private' } }
}
