import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.Set;

/**
 * What any webhook on this stack costs at least: HTTPS as the service speaks it, the body read to its end, a constant
 * answer. Arguments: the port, the directory of tls.crt and tls.key, the cipher suite that the service chooses, and whose
 * code encrypts, BoringSSL or JDK.
 */
final class NoOp {

    private static final Buffer ANSWER =
            Buffer.buffer(
                    """
                    {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"","allowed":true}}""");

    public static void main(String[] arguments) {
        var certificates = arguments[1];
        var files = new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);
        var options = new HttpServerOptions()
                .setHost("127.0.0.1")
                .setPort(Integer.parseInt(arguments[0]))
                .setSsl(true)
                .setUseAlpn(false)
                .setEnabledSecureTransportProtocols(Set.of("TLSv1.3"))
                .addEnabledCipherSuite(arguments[2])
                .setSslEngineOptions(
                        arguments[3].equals("JDK") ? new JdkSSLEngineOptions() : new OpenSSLEngineOptions())
                .setKeyCertOptions(new PemKeyCertOptions()
                        .addCertPath(certificates + "/tls.crt")
                        .addKeyPath(certificates + "/tls.key"));
        Vertx.vertx(new VertxOptions().setFileSystemOptions(files))
                .createHttpServer(options)
                .requestHandler(request -> request.body().onSuccess(body -> request.response()
                        .putHeader("Content-Type", "application/json")
                        .end(ANSWER)))
                .listen()
                .onFailure(failure -> {
                    failure.printStackTrace();
                    System.exit(1);
                });
    }
}
