import type { Algorithm } from '../../src/tokens/keys.ts';

/** A private key made for these tests and used nowhere else, with the thumbprint that another program computed. */
export type KeyVector = {
  readonly name: string;
  readonly algorithm: Algorithm;
  readonly pem: string;
  readonly thumbprint: string;
};

/**
 * EC keys of which one coordinate begins with zero bytes, as one key in 256 does (every second one on P-521, whose
 * first byte holds a single bit). The thumbprints were computed from the public keys that `openssl pkey -pubout`
 * writes, with Python's hashlib.
 */
export const KEYS_WITH_LEADING_ZEROS: readonly KeyVector[] = [
  {
    name: 'P-521, whose x begins with two zero bytes',
    algorithm: 'ES512',
    thumbprint: 'F2GDLbfP7RBuu6oF0pE6ewmWmzhxPF-j3XK8Pe3Z_vg',
    pem: `-----BEGIN PRIVATE KEY-----
MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEIAzjoyXSKgACCXutFj
GvOOp5KKOw4mjblDfnefYA65oJp+M+SIdB5M2l7UyH11rrMWyDCBinuUDRK2R6Ix
DH5qHI+hgYkDgYYABAAAGG6Fq+AplgoOCPg1PhNtl4uDJHvXLMTn+BpGI8tdZet5
BTBofIfP1q0A5BVZiGAbzekIKHjIfCOB5Y2y+1VjOQCZ0IE3kOwmuZtvlxVEBMXX
leZKXWfrshcvqrL3w1p2P6+HR4+LRizP5mvZsoW2uA0nl9bPRwZ4C0gq/xxZlCp0
Og==
-----END PRIVATE KEY-----
`,
  },
  {
    name: 'P-521, whose y begins with two zero bytes',
    algorithm: 'ES512',
    thumbprint: 'eNebGVcnZPJKvAMXX-57-v2DSyYIw73T-FvcJ9ikEFY',
    pem: `-----BEGIN PRIVATE KEY-----
MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEIBljvo6tLerl0ErpXU
sjKBCPwmtmF8MbOF2AnuN0Lxx9BCOqcHUS99acZKzy97QU/CMDyv8/hY2WR18OUN
ecl+AwehgYkDgYYABAHGMnIVOWs0huTutwsty1aOcIdc95Wis1VhIzdIKILmC6v6
UUZ6Bn3fH0oCsuSbl1wTdgFzn8PkprNF2nshRlY/owAAcWcEI7cqVoiK/AiD3aWu
hH+oUGIE+1zy2gW4O6jlLteaBdrszuVGvqOpNroPCy+/ZAm5ZoAhZXn68vRN4Rje
ug==
-----END PRIVATE KEY-----
`,
  },
  {
    name: 'P-384, whose x begins with a zero byte',
    algorithm: 'ES384',
    thumbprint: '-xHEVkaOxy8UMKCSg40FhnC0tZykSEsr6i1fMd4SsFY',
    pem: `-----BEGIN PRIVATE KEY-----
MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDCDghTpHnGFQ6K4q/Nn
t+b0sJCXA5UYgfCQKl4FzDKIW9wcQulIxEsRo2BKyiT2+lWhZANiAAQA4doT+pTr
opTUWF1sgm2rFJ/01U5YatXbpK2kltWlDLWpor1Ogi0epHmr/hDL1G3kHcKa9Vh4
NHd9Rk8fN3L/LpPUSOqocQ8h60YpvXkbxJGf+5M334zbmNGAd8ysASM=
-----END PRIVATE KEY-----
`,
  },
  {
    name: 'P-384, whose y begins with a zero byte',
    algorithm: 'ES384',
    thumbprint: 'q5V5UH9nmdx1xLKtXPIXP_T7kgt1-EK4BAAdZGfUyIw',
    pem: `-----BEGIN PRIVATE KEY-----
MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDAjDl87mpOMuRfnJXjq
m60mzf3MB7eP+WvvJDyOCJ99LKj5bXbb5eg30DPmhUGTsAahZANiAASVu/T/vz+J
0THIzLTnVTb9MR/IrlfV1yTEobiVGilkJbSIthhhHw4Gc80wjwch/Y0AAI2/8wD2
kypqG5AVKFgSvfMWMnIxj8IpGDW3ncFqzsFg/JvbPyNrvcoGHol+NHE=
-----END PRIVATE KEY-----
`,
  },
  {
    name: 'P-256, whose x begins with a zero byte',
    algorithm: 'ES256',
    thumbprint: 'DTyoun7J5mt2PMFx3-fKAnRukFUdKSW2LB_Dy53FRw4',
    pem: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAThBQv2iqJ0DFE8n
3+GVD/kUvEZlu0Ly+xk+9aXkMA2hRANCAAQATpxIwmqlkbVIlyc1TOuAk10oXUYc
tjMfNIkMLHdBmfnNrNRrUfOiSmKC7cFv+lKEySzVB78FifP0CbJ9MQWq
-----END PRIVATE KEY-----
`,
  },
  {
    name: 'P-256, whose y begins with a zero byte',
    algorithm: 'ES256',
    thumbprint: 'ELrQKCMuNDJmd7f81z1EwnzoVHBJbJWS08R7Gs-GxN0',
    pem: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsK4JU35vhqxOIs6w
clfOyaodCACP+/Dg4jdeQ0Y2YDahRANCAARsMpNHKsc/Gl0v+47JlNal3tycDuL+
yeXpAlrKcsbjLAAP+Gh6E16qgfZbdsIVtVK2QYj/D5RO3OuTIVrJ7aCQ
-----END PRIVATE KEY-----
`,
  },
];

/** An Ed25519 key, computed as above. */
export const ED25519_KEY: KeyVector = {
  name: 'Ed25519',
  algorithm: 'EdDSA',
  thumbprint: 'wY0EcTHLzV_u4k9mWt9bNKsFnuyk24IUEv2k_ULZWWo',
  pem: `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIIy9RJEWxHUVSNsdL9BjYxW6zSy9ZzYQVR6oEh61mTiA
-----END PRIVATE KEY-----
`,
};

/** An RSA key of 2048 bits, computed as above. */
export const RSA_KEY: KeyVector = {
  name: 'RSA of 2048 bits',
  algorithm: 'RS256',
  thumbprint: 'dNjt0Vm8SBRCUAqFVkARLJV9qC8oOKN_KHR4EDfI6Bk',
  pem: `-----BEGIN PRIVATE KEY-----
MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQC8P/berAzvsKA2
/ZIB0UMWlNpXNzCdUHj7UvlO8E0ZTRz57yaJQx46smJUOYiPdjifOBWZs8uWm9xX
kDXGO5XRlxHX43P45Q8W9vuZQVOWTG/eQzeE1cXWPjrq8LiR+uM1dcJ2yrXpj7cb
sXED/S6iTU7HYk0lP1KQYX5veaohJw3tMIAKasvPIs7qBuQ83EHYItMm5gBd8kuH
HThGGH+cxdrQSA2Slqw0HIV+Z44x/TXV+f+KU+IGyDSUpIVFxFjKAyP2EnIb2rZ0
j2Yzj0zhNco7o/x07OOB2LTj9AisEPuWbWm3xrwPBO6ADmhLJP3dqE/Ez/kzcxN8
R1qkrxMlAgMBAAECggEAHGXAyafmHq1ECe+X/C6zYl9rjX8Nlhma2nzSj4In+0Ja
9egJ5ehqUbvxodd4/n08vuYAuio5cruJ0mq2dfQsnkyd/DV7W+c/7rysyRpl79UR
hhOZNzBhUveZvzG3ggv5BOpB/tYG+Zf8rRCIJiwmAgVL9j9huFX0UEPoxQuzKqNd
lUeB0fQp0gpzw5jSaFt7MipT+Hk8epCQRjn0CRr7tErJ79Gcy4GMXUfW2UkQSOIK
hjZgUWJz/XqBq3UDalrrF2yIXIBrA8bDDCrKAw3IMK3KutVVfpaqVJ3/8NmArf3m
dridR1KnTlh3tsTjs8dn7OtLWeh5qSOEvl3Fbq8HaQKBgQDedAv8qsPSAdUenCQb
7tNBYbP5HaUpJtNXc4x4BfpEf7kD5Dc0Y7/bFRHvmIKmbEhCssdoNwswokWqxawS
jbA0zWjcMU8AoZ0OcW1RX+j06ep9Nee1ZY9r4cNxBLxnU8+qeBglHD0518gpnomV
L1hr7CwHXtjzdBqp/M1SJobFzQKBgQDYo3iuS3y/ZDqxkLlU5Qd3VzkVqdo3IJ4R
RYDvganGbO21VzC3E6dmnWvAYZuOpq7mOPVFpAQiRnPxYZMAx6vnR/I0UidF1xQe
mSGs4913gAY5GYsLJgTJeibl1vv7POHt0POgSfH2xGT5rH2YJhiKFr32vA5MxEsF
bMsblbCquQKBgQCbP84l1l+3rwO3yy0AOZtCJBfgoinkIG6at8+u7C0PpTvQVXOZ
oowBMCFGX9++mg+MTQ0R1GiA1p9cYXyHrk7tavXlxpvmSuQ7cjni8ta4JpA6Nmax
mGGR3wvxUmbSjhF+XTYsoBqyxb+yHCzU6ygAmeDYe/9ZWQxK2l3JGY4xeQKBgQC2
tOfK149WO0nlB5HGr4IkfEOAqceIRtII7v1XAZwV5Th1gBtty/2a5ZlCnw96t8k6
ET+KhFGYNqMCKLC6L6wjWuJCjibhGAu34p4sGeFmL2sQLSK/PEk9QvAbV70cnrRM
xbUysiqHXAttJrSl5Ts8+wErXl8RD1vWL3L8yLo+wQKBgB7nU9FCOPvaTaepqtIG
rVzYrBX/ID9xSdzf1l/06p2pIsegaS9+pG+9i+XkiwkJiXz5qdGmr9zhIBDoV4ey
ONmzo43aO2VeS2lyIk0iuSKw7MyiLm4ushFTkAdZ+wCu6PSPEO7wnKiKZ/6v42HE
LWVqeb7XWMvuKhdIXZVlTLl1
-----END PRIVATE KEY-----
`,
};
