import type { S3Place } from './client.ts'

/**
 * Reads `https://<endpoint>/<bucket>/<prefix>`; the bucket is called by its path.
 * @throws Error with words for the operator
 */
export function s3PlaceOf(address: string, { region, credential }: Pick<S3Place, 'region' | 'credential'>): S3Place {
  const { origin, pathname, search, hash, username } = new URL(address)
  const [bucket = '', ...folders] = pathname.split('/').filter((part) => part !== '')
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) || search !== '' || hash !== '' || username !== '')
    throw new Error('must be https://<endpoint>/<bucket>/<prefix>')
  if (!credentialPattern.test(credential)) throw new Error('must be id:secret or id:secret:session token')
  return { endpoint: origin, region, bucket, prefix: folders.map((folder) => `${folder}/`).join(''), credential }
}

const credentialPattern = /^[A-Za-z0-9]{3,128}:[A-Za-z0-9/+=]{8,128}(?::[A-Za-z0-9/+=_-]{16,4000})?$/
