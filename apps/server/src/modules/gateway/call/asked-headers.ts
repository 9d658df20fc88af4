/**
 * Settings that callers pass in headers, so that a body in a vendor's format stays valid. A header can only reduce
 * retention, never extend it. Tested in asked-headers.test.ts.
 */
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import type { Asked } from './asked.ts'

type Headers = Pick<RequestInfo, 'header'>

const tagPattern = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/
const mostTags = 16

/** Applies the headers `X-Gateway-Retention` and `X-Gateway-Tags` to the call. @throws API-001 */
export function withHeaders(asked: Asked, headers: Headers): Asked {
  const retention = retentionOf(headers)
  const tags = tagsOf(headers)
  if (retention === null && tags.length === 0) return asked
  return {
    ...asked,
    retention: asked.retention === 'metadata' ? 'metadata' : (retention ?? asked.retention),
    tags: [...new Set([...asked.tags, ...tags])].slice(0, mostTags),
  }
}

function retentionOf(headers: Headers): Asked['retention'] {
  const wanted = headers.header('x-gateway-retention')
  if (wanted === undefined) return null
  if (wanted === 'metadata' || wanted === 'redacted') return wanted
  throw apiErrors.validation({ what: 'X-Gateway-Retention is metadata or redacted; it cannot raise what is kept.' })
}

function tagsOf(headers: Headers): readonly string[] {
  const said = headers.header('x-gateway-tags') ?? ''
  const tags = said.split(',').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()]))
  if (tags.length > mostTags || !tags.every((tag) => tagPattern.test(tag)))
    throw apiErrors.validation({
      what: `X-Gateway-Tags takes up to ${mostTags} names of letters, digits and ._:- with commas between them.`,
    })
  return tags
}
