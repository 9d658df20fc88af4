/** The little of the DOM that is read here, by namespace: names alone could be another vocabulary's. */
import { parseDomFromString } from '@node-saml/node-saml/lib/xml.js'

export interface XmlElement {
  readonly nodeType: number
  readonly localName: string
  readonly namespaceURI: string | null
  readonly textContent: string | null
  readonly childNodes: { readonly length: number; readonly [index: number]: XmlElement | undefined }
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
}

export const assertionNs = 'urn:oasis:names:tc:SAML:2.0:assertion'
export const protocolNs = 'urn:oasis:names:tc:SAML:2.0:protocol'
export const signatureNs = 'http://www.w3.org/2000/09/xmldsig#'

const elementNode = 1

export async function rootOf(xml: string): Promise<XmlElement> {
  const document = (await parseDomFromString(xml)) as unknown as { readonly documentElement: XmlElement }
  return document.documentElement
}

export function* childElements(parent: XmlElement): Generator<XmlElement> {
  for (let index = 0; index < parent.childNodes.length; index += 1) {
    const node = parent.childNodes[index]
    if (node?.nodeType === elementNode) yield node
  }
}

export function childrenNamed(parent: XmlElement, namespace: string, name: string): readonly XmlElement[] {
  return [...childElements(parent)].filter((one) => one.localName === name && one.namespaceURI === namespace)
}

/** The element itself and all below it. */
export function* everyElement(top: XmlElement): Generator<XmlElement> {
  const open = [top]
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    yield element
    open.push(...childElements(element))
  }
}

export function attributeOf(element: XmlElement, name: string): string | null {
  return element.hasAttribute(name) ? element.getAttribute(name) : null
}
