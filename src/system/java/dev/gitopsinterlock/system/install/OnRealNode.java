package dev.gitopsinterlock.system.install;

import dev.gitopsinterlock.testing.bed.RequiresTools;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests of the image on a {@link Platform} with a real Node. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@RequiresTools(
        value = {"certmanager", "helm4"},
        definitions = "certmanager",
        node = true)
@EnabledIf(
        value = "dev.gitopsinterlock.system.install.Image#isBuilt",
        disabledReason = "there is no image of this package in target/image; make image builds it")
@ExtendWith(Platform.OnNode.class)
@TestInstance(Lifecycle.PER_CLASS)
@interface OnRealNode {}
