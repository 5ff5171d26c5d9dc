package main

import (
	"encoding/base64"
	"fmt"
	"os"
)

// adminGroup may do everything, by a ClusterRoleBinding; see bindAdmins.
const adminGroup = "testbed:cluster-admins"

// identities are the keys and certificates of one control plane; those that its programs read lie in DIR/pki.
type identities struct {
	cluster, webhooks          *authority
	admin, superAdmin, kubelet keyPair
}

// newIdentities makes and writes everything anew; nothing is shared between two control planes.
func newIdentities(dir runDir) (*identities, error) {
	var err error
	check := func(next error) {
		if err == nil {
			err = next
		}
	}
	authority := func(name string) *authority {
		a, failed := newAuthority(name)
		check(failed)
		return a
	}
	ids := &identities{cluster: authority("testbed-ca"), webhooks: authority("testbed-webhook-ca")}
	if err != nil {
		return nil, err
	}
	pair := func(p keyPair, failed error) keyPair {
		check(failed)
		return p
	}
	// As kubeadm has it: people are in a group that a ClusterRoleBinding makes administrators, and which can be impersonated.
	ids.admin = pair(ids.cluster.user("testbed-admin", adminGroup))
	ids.superAdmin = pair(ids.cluster.user("testbed-super-admin", "system:masters"))
	// A kubelet's name and group, and masters because there is no node authorizer that would let it in.
	ids.kubelet = pair(ids.cluster.user("system:node:testbed", "system:nodes", "system:masters"))
	etcd := pair(ids.cluster.server("etcd", []string{"localhost"}, "127.0.0.1"))
	apiserver := pair(ids.cluster.server("kube-apiserver",
		[]string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"}, loopback, firstNodeAddress, firstServiceAddress))
	webhook := pair(ids.webhooks.server("gitops-interlock",
		[]string{"localhost", "gitops-interlock.gitops-interlock.svc"}, "127.0.0.1"))
	tokenKey, tokenPublic, failed := newTokenKey()
	check(failed)

	check(os.WriteFile(dir.file("pki", "ca.crt"), ids.cluster.pem, 0o600))
	check(os.WriteFile(dir.file("pki", "service-accounts.key"), tokenKey, 0o600))
	check(os.WriteFile(dir.file("pki", "service-accounts.pub"), tokenPublic, 0o600))
	check(ids.admin.write(dir.file("pki", "admin.crt"), dir.file("pki", "admin.key")))
	check(etcd.write(dir.file("pki", "etcd.crt"), dir.file("pki", "etcd.key")))
	check(apiserver.write(dir.file("pki", "apiserver.crt"), dir.file("pki", "apiserver.key")))
	check(webhook.write(dir.file("webhook", "tls.crt"), dir.file("webhook", "tls.key")))
	check(os.WriteFile(dir.file("webhook", "ca.crt"), ids.webhooks.pem, 0o600))
	return ids, err
}

// kubeconfig holds the certificates themselves, so the file works wherever it is copied.
func (ids *identities) kubeconfig(server string, user keyPair) []byte {
	text := base64.StdEncoding.EncodeToString
	return fmt.Appendf(nil, `apiVersion: v1
kind: Config
current-context: testbed
clusters:
- name: testbed
  cluster:
    server: %s
    certificate-authority-data: %s
users:
- name: testbed
  user:
    client-certificate-data: %s
    client-key-data: %s
contexts:
- name: testbed
  context:
    cluster: testbed
    user: testbed
`, server, text(ids.cluster.pem), text(user.certificate), text(user.key))
}
