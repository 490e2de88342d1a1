package dev.downbeat.acceptance;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** All main classes of Downbeat, imported once for all structural tests. */
final class OwnClasses {
    static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.downbeat");

    private OwnClasses() {}
}
