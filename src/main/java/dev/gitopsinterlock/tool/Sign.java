package dev.gitopsinterlock.tool;

import dev.gitopsinterlock.tool.Requester.ServiceAccount;
import java.util.List;
import java.util.function.Predicate;

/**
 * Something by which a tool shows as the sender of a request.
 *
 * @param user what it says of the user, as the docs' table has it; empty where nothing
 * @param manager what it says of the field manager; empty where nothing
 * @param fits whether a sender has it
 */
public record Sign(String user, String manager, Predicate<Sender> fits) {

    /** A field manager of exactly this name. */
    public static Sign manager(String name) {
        return manager("`" + name + "`", name::equals);
    }

    /** A field manager whose name begins like this, where a version or an object's name follows. */
    public static Sign managerBeginningWith(String prefix) {
        return manager("`" + prefix + "*`", manager -> manager.startsWith(prefix));
    }

    /** A program whose field managers are its name alone, and its name with a command: {@code kubectl-edit}. */
    public static Sign program(String name) {
        return manager(
                "`%s`, `%s-*`".formatted(name, name),
                manager -> manager.equals(name) || manager.startsWith(name + "-"));
    }

    /** A service account of this name, in any Namespace. */
    public static Sign account(String name) {
        return account(
                "service account `" + name + "`", account -> account.name().equals(name));
    }

    /** A service account whose name ends like this, as charts and operators put names before it. */
    public static Sign accountEndingIn(String suffix) {
        return account(
                "service account `*" + suffix + "`", account -> account.name().endsWith(suffix));
    }

    /** This very service account. */
    public static Sign account(ServiceAccount exactly) {
        return account("`%s:%s`".formatted(exactly.namespace(), exactly.name()), exactly::equals);
    }

    /** One of some service accounts, in a Namespace whose name begins like this. */
    public static Sign accountsIn(String namespaces, List<String> names) {
        return account(
                "`%s` in a namespace `%s*`".formatted(String.join("` or `", names), namespaces),
                account -> account.namespace().startsWith(namespaces) && names.contains(account.name()));
    }

    /** A token that is bound to a Pod with this in its name. */
    public static Sign pod(String part) {
        return new Sign(
                "a token bound to a Pod `*" + part + "*`",
                "",
                sender -> sender.user()
                        .podName()
                        .filter(name -> name.contains(part))
                        .isPresent());
    }

    private static Sign account(String words, Predicate<ServiceAccount> fits) {
        return new Sign(
                words, "", sender -> sender.user().serviceAccount().filter(fits).isPresent());
    }

    private static Sign manager(String words, Predicate<String> fits) {
        return new Sign("", words, sender -> fits.test(sender.manager().name()));
    }
}
