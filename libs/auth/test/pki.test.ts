import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createAuthority, issueCertificate } from '../src/pki/index.ts';

test('an authority issues a certificate with the name of a program, which another authority did not sign', async () => {
  const [authority, stranger] = await Promise.all([createAuthority('one'), createAuthority('one')]);
  const issued = await issueCertificate(authority, { program: 'inventory' });
  const certificate = new X509Certificate(issued.certificate);
  const of = (pem: string): X509Certificate => new X509Certificate(pem);
  expect(certificate.verify(of(authority.certificate).publicKey)).toBe(true);
  expect(certificate.verify(of(stranger.certificate).publicKey)).toBe(false);
  expect(certificate.subjectAltName).toBe('DNS:inventory');
  expect(certificate.ca).toBe(false);
  expect(of(authority.certificate).ca).toBe(true);
  expect(certificate.checkPrivateKey(createPrivateKey(issued.privateKey))).toBe(true);
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
});

test('a certificate is valid for the given number of days', async () => {
  const now = new Date('2026-01-01T00:00:00Z');
  const authority = await createAuthority('one', now);
  const { certificate } = await issueCertificate(authority, { program: 'rbac', days: 30, now });
  const { validFromDate, validToDate } = new X509Certificate(certificate);
  expect(validFromDate.getTime()).toBeLessThan(now.getTime());
  expect(validToDate).toEqual(new Date('2026-01-31T00:00:00Z'));
});
