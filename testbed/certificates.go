package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"time"
)

const validity = 365 * 24 * time.Hour

// An authority signs certificates. Its key lives in memory only.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	pem         []byte
}

// A keyPair is a certificate with its key, both PEM, the key as PKCS 8.
type keyPair struct{ certificate, key []byte }

func newAuthority(name string) (*authority, error) {
	template := newTemplate(pkix.Name{CommonName: name})
	template.IsCA = true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign | x509.KeyUsageDigitalSignature
	key, err := newKey()
	if err != nil {
		return nil, err
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return &authority{certificate, key, encode("CERTIFICATE", der)}, nil
}

// server issues a serving certificate; it is good for clients too, as etcd wants it for its peers.
func (a *authority) server(name string, dnsNames []string, addresses ...string) (keyPair, error) {
	template := newTemplate(pkix.Name{CommonName: name})
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	template.DNSNames = dnsNames
	for _, address := range addresses {
		template.IPAddresses = append(template.IPAddresses, net.ParseIP(address))
	}
	return a.issue(template)
}

// user issues a client certificate that the API server reads as this user with these groups.
func (a *authority) user(name string, groups ...string) (keyPair, error) {
	template := newTemplate(pkix.Name{CommonName: name, Organization: groups})
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	return a.issue(template)
}

func (a *authority) issue(template *x509.Certificate) (keyPair, error) {
	key, err := newKey()
	if err != nil {
		return keyPair{}, err
	}
	template.KeyUsage = x509.KeyUsageDigitalSignature
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)
	if err != nil {
		return keyPair{}, err
	}
	keyDer, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return keyPair{}, err
	}
	return keyPair{encode("CERTIFICATE", der), encode("PRIVATE KEY", keyDer)}, nil
}

func (p keyPair) write(certificatePath, keyPath string) error {
	if err := os.WriteFile(certificatePath, p.certificate, 0o600); err != nil {
		return err
	}
	return os.WriteFile(keyPath, p.key, 0o600)
}

// newTokenKey makes the key that signs service-account tokens, and the public part that checks them.
func newTokenKey() (keyPEM, publicPEM []byte, err error) {
	key, err := newKey()
	if err != nil {
		return nil, nil, err
	}
	keyDer, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, nil, err
	}
	publicDer, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		return nil, nil, err
	}
	return encode("PRIVATE KEY", keyDer), encode("PUBLIC KEY", publicDer), nil
}

func newTemplate(subject pkix.Name) *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)) // crypto/rand never fails
	now := time.Now()
	return &x509.Certificate{
		SerialNumber:          serial,
		Subject:               subject,
		NotBefore:             now.Add(-time.Hour),
		NotAfter:              now.Add(validity),
		BasicConstraintsValid: true,
	}
}

func newKey() (*ecdsa.PrivateKey, error) { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) }

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
