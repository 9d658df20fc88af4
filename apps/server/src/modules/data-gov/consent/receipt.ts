/**
 * The receipt of a consent: the record in the form of ISO/IEC TS 27560:2023, as JSON-LD with the terms of the W3C Data
 * Privacy Vocabulary, which the API signs as a compact JWS.
 */
import type { ConsentEventRow, ConsentRow } from '../declared/consent-schema.ts'

export function receiptOf(row: ConsentRow, events: readonly ConsentEventRow[]): object {
  return {
    '@context': 'https://w3id.org/dpv',
    schema_version: 'ISO/IEC TS 27560:2023',
    record_id: row.id,
    pii_principal_id: row.subject_id,
    privacy_notice: row.notice_id === null ? null : `${row.notice_key}/${row.notice_edition}`,
    processing: [
      {
        ...{ purpose: row.purpose, legal_basis: row.basis, pii_categories: row.categories },
        ...{ recipients: row.recipients, valid_until: row.valid_until },
      },
    ],
    event_state: row.state,
    events: events.map(({ id, event, occurred_at, method, evidence_sha256 }) => ({
      ...{ id, event_type: event, event_time: occurred_at, method, evidence_sha256 },
    })),
  }
}
