/** `PUT` only where a standard asks for it: our own resources are changed by merge patches. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
