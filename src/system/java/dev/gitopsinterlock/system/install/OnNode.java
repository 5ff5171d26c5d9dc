package dev.gitopsinterlock.system.install;

import dev.gitopsinterlock.testing.bed.RequiresTools;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests of the chart and the image, which get a {@link Platform}; skipped where there is no image or no Node can run. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@RequiresTools(
        value = {"certmanager", "helm3", "helm4"},
        definitions = "certmanager",
        node = true)
@EnabledIf(
        value = "dev.gitopsinterlock.build.image.ImageBuild#isCurrent",
        disabledReason = "there is no image of this package in target/image; make image builds it")
@ExtendWith(Platform.Extension.class)
@interface OnNode {}
